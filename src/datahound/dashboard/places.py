"""Where the links of a group lead to."""


def shared_folder(first: str, last: str, seed: str) -> str:
    """The folder that a group's URLs share, given the first and the last of them in the alphabet.

    >>> shared_folder("https://a.org/news/1", "https://a.org/news/2/", "https://a.org/")
    '/news/'
    >>> shared_folder("https://data.a.org/x?u=/y/", "https://data.a.org/x?u=/z", "https://a.org/")
    'data.a.org/'
    """
    folders, others, home = (url.partition("?")[0].split("/")[:-1] for url in (first, last, seed))
    shared = 0
    while shared < min(len(folders), len(others)) and folders[shared] == others[shared]:
        shared += 1
    if shared < len(("scheme:", "", "host")):
        return ""
    host = "" if folders[:3] == home[:3] else folders[2]
    return "/".join([host, *folders[3:shared], ""])
