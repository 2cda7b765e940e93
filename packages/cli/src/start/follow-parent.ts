// Preloaded into each service. If the parent process disappears, the service drains and exits instead of holding
// its port forever.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel must not keep a finished service alive.
process.channel?.unref();
