"""Tables, pages, charts and exports made from summaries."""
