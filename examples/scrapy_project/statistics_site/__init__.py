"""A Scrapy project whose requests Datahound puts in order."""
