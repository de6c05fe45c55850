"""The dashboard: crawls and their catalogues in a browser, on this machine."""
