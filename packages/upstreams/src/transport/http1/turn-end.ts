let callbacks: (() => void)[] = [];

/**
 * Runs callbacks, in order, when the event loop has read every ready socket. A callback added by a callback runs in the
 * next turn, after all sockets were read once more: `ConnectionPool.release` depends on this. Writes to several sockets in
 * one turn wake their readers once.
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
      // The other callbacks must still run.
      for (const left of called.slice(at + 1)) atTurnEnd(left);
      throw error;
    }
  }
}
