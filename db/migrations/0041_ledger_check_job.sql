-- Checks of the ledger are jobs. The queue tells whether one still runs, and runs it again if its process was killed.
SELECT tollgate_jobs.create_queue('verify-ledger', '{"policy": "exclusive", "retryLimit": 1000000, "retryBackoff": true,
  "heartbeatSeconds": 30, "retentionSeconds": 315360000, "deleteAfterSeconds": 86400, "retryDelay": 60,
  "retryDelayMax": 3600, "expireInSeconds": 21600}'::jsonb);

-- Checks that ran in consoles of earlier releases.
UPDATE ledger_checks SET finished_at = now() WHERE finished_at IS NULL;
ALTER TABLE ledger_checks DROP COLUMN heartbeat_at;
