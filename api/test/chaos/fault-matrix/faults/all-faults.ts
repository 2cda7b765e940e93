import type { Fault } from '../fault.ts';
import { BODIES } from './bodies.ts';
import { CONNECTING } from './connecting.ts';
import { CONTENT } from './content.ts';
import { CUTS } from './cuts.ts';
import { ERRORS_IN_STREAMS } from './errors-in-streams.ts';
import { EVENTS } from './events.ts';
import { FRAMING } from './framing.ts';
import { STATUSES } from './statuses.ts';
import { USAGE_FAULTS } from './usage.ts';

/** The parts of the table. */
export const FAULT_GROUPS: readonly { title: string; faults: readonly Fault[] }[] = [
  { title: 'Connection', faults: CONNECTING },
  { title: 'Status', faults: STATUSES },
  { title: 'Head and framing', faults: FRAMING },
  { title: 'Body', faults: BODIES },
  { title: 'Interruptions', faults: CUTS },
  { title: 'Errors in a response', faults: ERRORS_IN_STREAMS },
  { title: 'Events', faults: EVENTS },
  { title: 'Content', faults: CONTENT },
  { title: 'Usage', faults: USAGE_FAULTS },
];

export const FAULTS: readonly Fault[] = FAULT_GROUPS.flatMap(({ faults }) => faults);
