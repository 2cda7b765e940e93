-- How the routes of a model are ordered, and what a route costs at its provider.

ALTER TABLE models
  ADD COLUMN strategy text NOT NULL DEFAULT 'weighted'
    CHECK (strategy IN ('weighted', 'lowest-latency', 'lowest-price', 'usage-based'));

-- Parts per million of the model's price; the caller's price does not depend on it.
ALTER TABLE routes ADD COLUMN cost_ppm integer NOT NULL DEFAULT 1000000 CHECK (cost_ppm BETWEEN 0 AND 100000000);
