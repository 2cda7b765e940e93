let callbacks: (() => void)[] = [];

/**
 * Calls back when the event loop has read every socket that was ready: all of one turn together, in their order. What is
 * written to several sockets at once wakes the processes that read them once.
 */
export function atTurnEnd(callback: () => void): void {
  if (callbacks.push(callback) === 1) setImmediate(callAll);
}

function callAll(): void {
  const called = callbacks;
  callbacks = [];
  for (const callback of called) callback();
}
