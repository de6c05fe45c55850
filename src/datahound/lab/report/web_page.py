"""The page of a report, as a template without scripts."""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Datahound: results of experiments</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff;
  max-width: 84rem; margin: 2rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.6rem; margin-bottom: .2rem; }}
h2 {{ font-size: 1.25rem; margin-top: 3rem; border-bottom: 1px solid #ccc; }}
figure {{ margin: 2rem 0; }}
figcaption {{ font-weight: 600; margin: .3rem 0; }}
figure svg {{ max-width: 100%; height: auto; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: .86rem; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .25rem .7rem; text-align: right; white-space: nowrap; }}
thead th {{ border-top: 2px solid #1a1a1a; border-bottom: 1px solid #1a1a1a; }}
tbody tr:last-child > * {{ border-bottom: 2px solid #1a1a1a; }}
tr.ruled > * {{ border-top: 1px solid #888; }}
tbody th, thead th:first-child {{ text-align: left; font-weight: 500; position: sticky; left: 0;
  background: #fff; }}
section[id^=groups-] td:last-child {{ text-align: left; font-family: monospace;
  white-space: normal; overflow-wrap: anywhere; }}
section[id^=groups-] th:last-child {{ text-align: left; }}
.paper {{ color: #5a5a5a; }}
.note {{ color: #444; font-size: .86rem; max-width: 50rem; }}
</style>
</head>
<body>
<h1>Results of experiments</h1>
<p>{summary} Every table is in <code>tables/</code> as Markdown, CSV and LaTeX, every figure in
<code>figures/</code> as SVG and PNG; all runs are in <code>../results.csv</code>.</p>
<ul class="note">{notes}</ul>
<h2>Tables</h2>
{tables}
<h2>Figures</h2>
{figures}
</body>
</html>
"""
