/** What an encoder could not say in its dialect, gathered while it writes a request. */
export interface EncodeReport {
  /** Names a parameter that is left out and does not change what the answer means, as the caller knows it: `seed`. */
  drop(name: string): void;
  /** Refuses the request: without the parameter the answer would mean something else. The first refusal is told. */
  refuse(param: string, what: string): void;
  readonly dropped: readonly string[];
  readonly refusal: { param: string; what: string } | null;
}

/** An empty report. */
export function createEncodeReport(): EncodeReport {
  const dropped = new Set<string>();
  let refusal: EncodeReport['refusal'] = null;
  return {
    drop: (name) => void dropped.add(name),
    refuse: (param, what) => {
      refusal ??= { param, what };
    },
    get dropped() {
      return [...dropped];
    },
    get refusal() {
      return refusal;
    },
  };
}
