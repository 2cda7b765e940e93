-- Requests whose cost providers reported, and requests with unbilled cost, by their time.
CREATE INDEX requests_reported_cost ON requests (started_at) WHERE reported_cost_nano_usd IS NOT NULL;
CREATE INDEX requests_unbilled_cost ON requests (started_at) WHERE operator_cost_nano_usd > 0;
