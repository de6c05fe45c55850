"""Talking to the web over HTTP: politely, within robots.txt, whatever servers do."""
