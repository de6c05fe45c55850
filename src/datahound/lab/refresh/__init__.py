"""The experiment `refresh`: how policies of later rounds do on websites recorded over years."""
