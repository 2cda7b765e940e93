import { fieldNamed } from '../../../lib/api-error.ts';
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

/** The terms as entered. */
export function getProviderTerms(form: ProviderForm) {
  const { baseUrl, settings, connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs, totalTimeoutMs } = form;
  const timeouts = { connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs, totalTimeoutMs };
  return { baseUrl, settings, ...timeouts, maxConcurrency: form.maxConcurrency };
}

/** The headers as entered; a stored value that is left empty stays. */
export function getHeaders(form: ProviderForm): { name: string; value: string | null }[] {
  return form.headers.map(({ name, value, isStored }) => ({
    name,
    value: isStored && value === '' ? null : value,
  }));
}

type HeaderField = `headers.${number}.name` | `headers.${number}.value`;

const findTermsField = fieldNamed(
  'name',
  'baseUrl',
  'settings',
  'credential',
  ...NUMBERS.map(({ name }) => name),
);

/** @returns the form field for a path of the server's input, or null if the form has none */
export function findProviderField(path: string) {
  if (path === 'headers') return 'root.headers';
  if (path === 'connection.proxyUrl' || path === 'connection.caCertificates') return path;
  return findHeaderField(path) ?? findTermsField(path);
}

function findHeaderField(path: string): HeaderField | null {
  const [, index, member] = /^headers\.(\d+)\.(name|value)$/.exec(path) ?? [];
  if (index === undefined) return null;
  return member === 'name' ? `headers.${Number(index)}.name` : `headers.${Number(index)}.value`;
}
