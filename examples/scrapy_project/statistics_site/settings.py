"""The project's settings; the first three are all that Datahound needs."""

SCHEDULER = "datahound.scrapy.DatahoundScheduler"
SPIDER_MIDDLEWARES = {"datahound.scrapy.DatahoundMiddleware": 543}
DATAHOUND_STRATEGY = "hound"

BOT_NAME = "statistics_site"
SPIDER_MODULES = ["statistics_site.spiders"]
ROBOTSTXT_OBEY = True
LOG_LEVEL = "WARNING"
# The strategy decides with all that is known once every answer is in.
CONCURRENT_REQUESTS = 1
