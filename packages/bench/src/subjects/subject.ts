import type { Tools } from '../host/tools.ts';
import type { ApiSource } from './api-source.ts';

/** A measured server between client and provider. */
export interface Subject {
  name: string;
  /** Its `{base_url}`, which ends with `/v1`. */
  baseUrl: string;
  /** What a request to it must carry. */
  headers: Record<string, string>;
  /** API keys that requests carry in turns, in place of the one in `headers`. */
  keys?: readonly string[];
  pid: number;
  /** The processes that do a part of its work on the core of the load: its database connections. */
  findWorkers?: () => Promise<readonly number[]>;
}

/** A subject that runs in a separate process. */
export interface SubjectServer extends Subject, AsyncDisposable {}

/** What is needed to start one. */
export interface Harness {
  /** A folder that is removed at the end. */
  dir: string;
  tools: Tools;
  /** Where servers under test run. */
  core: number;
  signal: AbortSignal;
  /** The api of the working tree. */
  api: ApiSource;
}

/** The variables that a child needs from the operator's environment; all others could change what is measured. */
export function baseEnv(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', NODE_ENV: 'production' };
}
