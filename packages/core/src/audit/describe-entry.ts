import { formatUsd } from '../money/money.ts';

const PPM_PER_PERCENT = 10_000;
/** Fields that say what was changed: shown with a change even if they are the same as before. */
const NAMING: ReadonlySet<string> = new Set(['reason', 'label', 'fallbackId']);

/** An entry of the installation's audit log. */
export interface AuditedEntry {
  subject: string | null;
  subjectName: string | null;
  accountId: string | null;
  accountName: string | null;
  detail: Record<string, unknown>;
}

/** A field of what was done. */
export interface FieldChange {
  name: string;
  /** null: the former value was not recorded, or is the same. */
  before: string | null;
  after: string;
}

/** What the entry is about: a name if it has one, otherwise its id. */
export function describeSubject(entry: AuditedEntry): string {
  const { detail, subject, subjectName, accountName, accountId } = entry;
  const noted = detail['name'] ?? detail['email'];
  if (subject !== null && subject === accountId) return accountName ?? subject;
  return subjectName ?? (typeof noted === 'string' ? noted : (subject ?? ''));
}

/** The recorded values. If the entry has former values, only fields that changed. */
export function listFieldChanges({ detail }: AuditedEntry): FieldChange[] {
  const { before, ...rest } = detail;
  // Changes of one value are recorded as `from` and `to`.
  const { from, to, ...others } = rest;
  const isMove = from !== undefined && to !== undefined;
  const after = isMove ? { ...others, value: to } : rest;
  const former = isMove ? { value: from } : isObject(before) ? before : {};
  const hasFormer = Object.keys(former).length > 0;
  return Object.entries(after)
    .filter(([name, value]) => value !== null || Object.hasOwn(former, name))
    .filter(([name]) => !hasFormer || Object.hasOwn(former, name) || NAMING.has(name))
    .map(([name, value]) => ({
      name: nameField(name),
      before: Object.hasOwn(former, name) ? writeValue(former[name], name) : null,
      after: writeValue(value, name),
    }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `firstByteTimeoutMs` → `first byte timeout ms`, `ratePpm` → `rate`. */
function nameField(name: string): string {
  return name
    .replace(/(?:NanoUsd|Ppm)$/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll('_', ' ');
}

function writeValue(value: unknown, name: string): string {
  if (name.endsWith('NanoUsd') && typeof value === 'string' && /^-?\d+$/.test(value)) return writeUsd(value);
  if (name.endsWith('Ppm') && typeof value === 'number') return `${value / PPM_PER_PERCENT}%`;
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((part) => typeof part === 'string'))
    return value.length === 0 ? 'none' : value.join(', ');
  return JSON.stringify(value);
}

function writeUsd(nanoUsd: string): string {
  const amount = BigInt(nanoUsd);
  return amount < 0n ? `−$${formatUsd(-amount)}` : `$${formatUsd(amount)}`;
}
