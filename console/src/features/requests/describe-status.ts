import type { RequestListRow } from '../../lib/trpc.ts';

type Tone = 'neutral' | 'ok' | 'warn' | 'bad';

const CLIENT_GONE = 499;
const RATE_LIMITED = 429;

export interface StatusLook {
  label: string;
  /** Shown next to the number if space allows. */
  note: string | null;
  tone: Tone;
  /** Explains a status that the number does not. */
  title: string | null;
}

/** A stream that fails after its first byte keeps status 200. Only the error code shows the failure. */
export function describeStatus(row: Pick<RequestListRow, 'isOpen' | 'status' | 'errorCode'>): StatusLook {
  const { isOpen, status, errorCode } = row;
  if (isOpen) return { label: 'open', note: null, tone: 'neutral', title: 'In progress' };
  // The drawer explains the code: the explanations of all codes would be loaded with the list.
  const look = { label: String(status), note: null, title: errorCode };
  if (errorCode === 'replica_lost') return { ...look, note: 'failed', tone: 'bad', title: 'Replica stopped' };
  if (status === CLIENT_GONE) return { ...look, tone: 'neutral', title: 'Client disconnected or cancelled' };
  if (status === RATE_LIMITED) return { ...look, tone: 'warn' };
  if (status >= 400) return { ...look, tone: 'bad' };
  if (errorCode !== null) return { ...look, note: 'failed', tone: 'bad' };
  return { ...look, tone: 'ok' };
}
