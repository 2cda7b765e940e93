-- When operators were last notified of cost drift, by model and route. route_id is '' if the route is not known.
CREATE TABLE cost_drift_alerts (
  model text NOT NULL,
  route_id text NOT NULL,
  notified_at timestamptz NOT NULL,
  PRIMARY KEY (model, route_id)
);
