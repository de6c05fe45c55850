"""Datahound: the data files of a website, with as few requests as possible."""
