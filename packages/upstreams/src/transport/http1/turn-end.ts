let callbacks: (() => void)[] = [];

/**
 * Calls back when the event loop has read every socket that was ready: all callbacks of one turn together, in their order.
 * One that is added by a callback runs in the next turn, after all sockets were read once more: `ConnectionPool.release`
 * depends on this. What is written to several sockets together wakes the processes that read them once.
 */
export function atTurnEnd(callback: () => void): void {
  if (callbacks.push(callback) === 1) setImmediate(callAll);
}

function callAll(): void {
  const called = callbacks;
  callbacks = [];
  for (const [at, callback] of called.entries()) {
    try {
      callback();
    } catch (error) {
      // The others are not to blame.
      for (const left of called.slice(at + 1)) atTurnEnd(left);
      throw error;
    }
  }
}
