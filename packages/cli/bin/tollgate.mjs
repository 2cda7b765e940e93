#!/usr/bin/env node
// The command line's sources need Node 24: whatever Node the host has, this runs them with the right one.
import { launch } from '../../../scripts/launch.mjs';

process.exitCode = await launch('tollgate', process.argv.slice(2));
