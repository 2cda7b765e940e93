import '@tollgate/db/quick-imports';

// `tollgate … | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// Imported dynamically so that quick-imports takes effect first.
const { runCommandLine } = await import('./run-command-line.ts');
await runCommandLine(process.argv.slice(2));
