-- count_times(ms, 1): how many times are in each bucket.
CREATE OR REPLACE AGGREGATE count_times(integer, integer) (
  SFUNC = count_time, STYPE = integer[], COMBINEFUNC = add_counts, PARALLEL = SAFE,
  INITCOND = '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}'
);
