// Entry point of all npm scripts. Plain JavaScript for the host's Node, because nothing may be installed yet.
import { launch } from './launch.mjs';

process.exitCode = await launch(process.argv[2] ?? '', process.argv.slice(3));
