-- Moves the cost of settlements whose hold is not in the database to their unbilled cost, because no more is billed than is
-- held. The database may have lost committed holds, for example after a failover to a standby that lags behind.
CREATE OR REPLACE FUNCTION unbill_lost_holds(settlements settlement[]) RETURNS settlement[] LANGUAGE plpgsql AS $$
DECLARE
  place integer;
BEGIN
  FOR place IN
    SELECT s.ordinality FROM unnest(settlements) WITH ORDINALITY AS s
    -- The subquery finds each row by its key. A join would not, because its plan may read the whole table.
    WHERE s.is_held AND s.cost_nano_usd > 0
      AND (SELECT r.id FROM requests r WHERE r.id = s.id AND r.started_at = s.started_at) IS NULL
  LOOP
    settlements[place].operator_cost_nano_usd
      := settlements[place].operator_cost_nano_usd + settlements[place].cost_nano_usd;
    settlements[place].cost_nano_usd := 0;
  END LOOP;
  RETURN settlements;
END $$;
