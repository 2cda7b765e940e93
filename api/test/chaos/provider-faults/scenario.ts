import type { Script, ScriptWriter } from '@tollgate/testing/fake-provider/script';
import type { Profile } from './profile.ts';
import type { Seen } from './seen.ts';

/** What the primary provider does: `first` once, then `always`. */
interface Fault {
  first?: Script;
  always: Script | ScriptWriter;
}

/** One statement about a scenario that must hold. */
export interface Check {
  name: string;
  /** True: a response that misses it is still a good one. */
  isAdvisory?: true;
  holds(seen: Seen, profile: Profile): boolean;
}

/** One way in which a provider fails, with a second provider that works. */
export interface Scenario {
  id: string;
  title: string;
  /** @param isDown whether the outage of the sequence lasts */
  getFault(profile: Profile, isDown: () => boolean): Fault;
  /** The best end; `response`: the complete one. */
  ideal: 'response' | 'error';
  /** True: requests at intervals, while the provider is down and after it. */
  isSequence?: true;
  /** True: the second provider rejects a conversation that ends with a message of the assistant. */
  refusesPrefill?: true;
  /** True: the second route has a larger context window. */
  hasLargerContext?: true;
  checks: readonly Check[];
}
