/** The variable that says where each process with a probe makes its socket. */
export const PROBE_FOLDER = 'TOLLGATE_BENCH_PROBE';

export type ProbeCommand = 'reset' | 'read';
