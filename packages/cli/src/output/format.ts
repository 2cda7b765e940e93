import { formatUsd, type NanoUsd } from '@tollgate/core/money/money';

/** `$0.000132`: exact, not rounded. */
export function usd(amount: NanoUsd): string {
  return `$${formatUsd(amount)}`;
}

/** `2026-11-20 18:05 UTC` for people; `-` for null. */
export function moment(at: Date | null): string {
  return at === null ? '-' : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** ISO 8601 for programs. */
export function iso(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}

/** `1,234,567`, the same on every machine. */
export function whole(count: number): string {
  return count.toLocaleString('en-US');
}

/** `no limit` for null. */
export function limitText(limit: number | null): string {
  return limit === null ? 'no limit' : whole(limit);
}

/** `1 route`, `2 routes`. */
export function counted(count: number, noun: string): string {
  return `${whole(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
