import type { RequestListRow } from '../../lib/trpc.ts';

type Tone = 'neutral' | 'ok' | 'warn' | 'bad';

const CLIENT_GONE = 499;
const RATE_LIMITED = 429;

export interface StatusLook {
  label: string;
  /** Said beside the number where there is room. */
  note: string | null;
  tone: Tone;
  /** What it means where the number does not say it. */
  title: string | null;
}

/** A stream that broke after its beginning has status 200 all the same: only the error says that it failed. */
export function describeStatus(row: Pick<RequestListRow, 'isOpen' | 'status' | 'errorCode'>): StatusLook {
  const { isOpen, status, errorCode } = row;
  if (isOpen) return { label: 'open', note: null, tone: 'neutral', title: 'In progress' };
  const look = { label: String(status), note: null, title: null };
  if (status === CLIENT_GONE) return { ...look, tone: 'neutral', title: 'The client disconnected early' };
  if (status === RATE_LIMITED) return { ...look, tone: 'warn' };
  if (status >= 400) return { ...look, tone: 'bad' };
  if (errorCode !== null)
    return { ...look, note: 'failed', tone: 'bad', title: 'The response was interrupted' };
  return { ...look, tone: 'ok' };
}
