import { DEFAULT_BREAKER, type BreakerPolicy } from '@tollgate/upstreams/routing/circuit-breaker';
import type { UpstreamTimeouts } from '@tollgate/upstreams/transport/transport';

/** The times of one run of the scenarios, in milliseconds. */
export interface Profile {
  name: 'fast' | 'full';
  timeouts: UpstreamTimeouts;
  breaker: BreakerPolicy;
  /** The limit of the models for the first token; null: the default. */
  firstTokenMs: number | null;
  /** What the provider of scenario 1 requests, in seconds. */
  retryAfterSeconds: number;
  /** Between the tokens of a response. */
  tokenMs: number;
  slowFirstTokenMs: number;
  stallMs: number;
  silenceMs: number;
  outageMs: number;
  sequence: { requests: number; intervalMs: number };
  /** The most that a call may take, by what the provider does. */
  limits: {
    prompt: number;
    firstToken: number;
    stall: number;
    silence: number;
    recovery: number;
    /** A call that takes longer hangs. */
    hang: number;
  };
}

/** Scaled down, so that all scenarios take seconds. */
const FAST: Profile = {
  name: 'fast',
  timeouts: { connectMs: 2_000, firstByteMs: 3_000, idleMs: 3_000, totalMs: 20_000 },
  breaker: { ...DEFAULT_BREAKER, openMs: 1_500 },
  firstTokenMs: 400,
  retryAfterSeconds: 1,
  tokenMs: 2,
  slowFirstTokenMs: 9_000,
  stallMs: 6_000,
  silenceMs: 10_000,
  outageMs: 5_000,
  sequence: { requests: 10, intervalMs: 1_200 },
  limits: { prompt: 3_000, firstToken: 2_500, stall: 5_500, silence: 6_000, recovery: 6_000, hang: 12_000 },
};

/** What failoverbench publishes results for: 30 seconds for the first byte and between bytes. */
const FULL: Profile = {
  name: 'full',
  timeouts: { connectMs: 10_000, firstByteMs: 30_000, idleMs: 30_000, totalMs: 300_000 },
  breaker: DEFAULT_BREAKER,
  firstTokenMs: null,
  retryAfterSeconds: 2,
  tokenMs: 15,
  slowFirstTokenMs: 20_000,
  stallMs: 30_000,
  silenceMs: 120_000,
  outageMs: 60_000,
  sequence: { requests: 20, intervalMs: 4_000 },
  limits: {
    prompt: 8_000,
    firstToken: 15_000,
    stall: 45_000,
    silence: 100_000,
    recovery: 30_000,
    hang: 130_000,
  },
};

/** @param name the value of `PROVIDER_FAULTS_PROFILE`; undefined: the fast one */
export function getProfile(name: string | undefined): Profile {
  return name === 'full' ? FULL : FAST;
}
