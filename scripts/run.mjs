// Entry of every npm script. Plain JavaScript on the host's own Node, because nothing is installed yet when it starts.
import { launch } from './launch.mjs';

process.exitCode = await launch(process.argv[2] ?? '', process.argv.slice(3));
