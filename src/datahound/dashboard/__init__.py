"""A web page over crawls and their catalogues, for whoever sits at this machine."""
