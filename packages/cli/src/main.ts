import '@tollgate/db/quick-imports';

// `tollgate … | head` closes the pipe early: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// Only now, when the imports are quick.
const { runCommandLine } = await import('./run-command-line.ts');
await runCommandLine(process.argv.slice(2));
