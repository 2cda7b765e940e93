// Loaded into each service before its own code: where the process that started it vanishes without a word, the
// service drains and ends instead of holding its port for ever.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Listening to the channel must not keep a service alive that is done.
process.channel?.unref();
