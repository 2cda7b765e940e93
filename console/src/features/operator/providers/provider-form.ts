import { providerHeadersSchema } from '@tollgate/core/providers/provider-headers';
import type { OperatorPreset, OperatorProvider } from '../operator-types.ts';

type Dialect = OperatorPreset['dialect'];

/** A header as entered. If `isStored`, an empty value keeps the stored one. */
interface HeaderTexts {
  name: string;
  value: string;
  isStored: boolean;
}

type ProxyChoice = 'environment' | 'direct' | 'own';

/** A provider as entered. Only the server validates it, because it has the presets. */
export interface ProviderForm {
  name: string;
  dialect: Dialect;
  baseUrl: string;
  settings: Record<string, string>;
  credential: string;
  forgetsCredential: boolean;
  headers: HeaderTexts[];
  connection: { proxy: ProxyChoice; proxyUrl: string; caCertificates: string; http2: boolean };
  connectTimeoutMs: string;
  firstByteTimeoutMs: string;
  idleTimeoutMs: string;
  totalTimeoutMs: string;
  maxConcurrency: string;
}

export const NUMBERS = [
  { name: 'connectTimeoutMs', label: 'Connect timeout', unit: 'ms', standard: '10,000' },
  { name: 'firstByteTimeoutMs', label: 'Time to first byte', unit: 'ms', standard: '300,000' },
  { name: 'idleTimeoutMs', label: 'Idle timeout', unit: 'ms', standard: '120,000' },
  { name: 'totalTimeoutMs', label: 'Total timeout', unit: 'ms', standard: '600,000' },
  { name: 'maxConcurrency', label: 'Max concurrency (per replica)', unit: 'calls', standard: 'No limit' },
] as const;
type NumberName = (typeof NUMBERS)[number]['name'];

export function emptyProviderForm(preset: OperatorPreset | null): ProviderForm {
  return {
    name: preset?.name ?? '',
    dialect: preset?.dialect ?? 'openai-chat',
    baseUrl: '',
    settings: {},
    credential: '',
    forgetsCredential: false,
    headers: [],
    connection: { proxy: 'environment', proxyUrl: '', caCertificates: '', http2: false },
    connectTimeoutMs: '',
    firstByteTimeoutMs: '',
    idleTimeoutMs: '',
    totalTimeoutMs: '',
    maxConcurrency: '',
  };
}

export function getProviderForm(provider: OperatorProvider, preset: OperatorPreset | null): ProviderForm {
  const text = (value: number | null) => value?.toString() ?? '';
  return {
    ...emptyProviderForm(preset),
    name: provider.name,
    baseUrl: provider.baseUrl ?? '',
    settings: provider.settings,
    headers: provider.headerNames.map((name) => ({ name, value: '', isStored: true })),
    connection: {
      proxy: provider.proxy === null ? 'environment' : provider.proxy === 'direct' ? 'direct' : 'own',
      proxyUrl: '',
      caCertificates: provider.caCertificates ?? '',
      http2: provider.http2,
    },
    connectTimeoutMs: text(provider.connectTimeoutMs),
    firstByteTimeoutMs: text(provider.firstByteTimeoutMs),
    idleTimeoutMs: text(provider.idleTimeoutMs),
    totalTimeoutMs: text(provider.totalTimeoutMs),
    maxConcurrency: text(provider.maxConcurrency),
  };
}

/** @returns the terms, or the field with an invalid number */
export function readProviderTerms(form: ProviderForm) {
  const numbers: Record<NumberName, number | null> = {
    connectTimeoutMs: null,
    firstByteTimeoutMs: null,
    idleTimeoutMs: null,
    totalTimeoutMs: null,
    maxConcurrency: null,
  };
  for (const { name } of NUMBERS) {
    const text = form[name].replace(/[,\s]/g, '');
    if (text === '') continue;
    if (!/^\d{1,9}$/.test(text) || Number(text) === 0) return { ok: false, field: name } as const;
    numbers[name] = Number(text);
  }
  const { baseUrl, settings } = form;
  return { ok: true, terms: { baseUrl, settings, ...numbers } } as const;
}

/** Parses the headers with the server's schema. `path` is the invalid field. */
export function readHeaders(form: ProviderForm) {
  const read = providerHeadersSchema.safeParse(
    form.headers.map(({ name, value, isStored }) => ({
      name,
      value: isStored && value === '' ? null : value,
    })),
  );
  if (read.success) return { ok: true, headers: read.data } as const;
  const [issue] = read.error.issues;
  return { ok: false, path: headerFieldAt((issue?.path ?? []).join('.')), message: issue?.message } as const;
}

/** @param path `0.name`, or '' for the whole list; @returns the form field */
function headerFieldAt(path: string): HeaderField | 'root.headers' {
  return headerField(`headers.${path}`) ?? 'root.headers';
}

type HeaderField = `headers.${number}.name` | `headers.${number}.value`;

/** @returns the form field for a path of the server's input, or null if it is not a header */
export function headerField(path: string): HeaderField | null {
  const [, index, member] = /^headers\.(\d+)\.(name|value)$/.exec(path) ?? [];
  if (index === undefined) return null;
  return member === 'name' ? `headers.${Number(index)}.name` : `headers.${Number(index)}.value`;
}

/** @returns the form field for a path of the server's input, or null if it is not a field of the connection */
export function connectionField(path: string): 'connection.proxyUrl' | 'connection.caCertificates' | null {
  return path === 'connection.proxyUrl' || path === 'connection.caCertificates' ? path : null;
}
