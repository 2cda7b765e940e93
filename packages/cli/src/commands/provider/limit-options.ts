import { z } from 'zod';
import { integerOption } from '../../options/integer-option.ts';

const HOUR_MS = 3_600_000;
const DEFAULT = 'default';

const MAXIMA = {
  connectTimeoutMs: 300_000,
  firstByteTimeoutMs: HOUR_MS,
  idleTimeoutMs: HOUR_MS,
  totalTimeoutMs: 24 * HOUR_MS,
  maxConcurrency: 1_000_000,
};

/** The limits of a new provider. Without a flag, the default applies. */
export const newLimitInput = mapMaxima((max) => integerOption({ min: 1, max }).optional());

/** The limits to change. `default` is null; without a flag, a limit stays. */
export const changedLimitInput = mapMaxima((max) =>
  z
    .union([z.literal(DEFAULT).transform(() => null), integerOption({ min: 1, max })], {
      error: `must be a whole number from 1 to ${max}, or ${DEFAULT}`,
    })
    .optional(),
);

/** The flags of a provider's limits. */
export function getLimitOptions({ isNew }: { isNew: boolean }) {
  const about = (text: string, standard: string) =>
    isNew ? `${text} (default: ${standard})` : `${text}, or ${DEFAULT}: ${standard}`;
  return [
    { flags: '--connect-timeout-ms <ms>', about: about('connect timeout', '10000') },
    { flags: '--first-byte-timeout-ms <ms>', about: about('time to first byte', '300000') },
    { flags: '--idle-timeout-ms <ms>', about: about('idle timeout within a response', '120000') },
    { flags: '--total-timeout-ms <ms>', about: about('total request timeout', '600000') },
    {
      flags: '--max-concurrency <calls>',
      about: about('maximum concurrent requests per API replica', 'no limit'),
    },
  ];
}

function mapMaxima<Schema>(toSchema: (max: number) => Schema): Record<keyof typeof MAXIMA, Schema> {
  return {
    connectTimeoutMs: toSchema(MAXIMA.connectTimeoutMs),
    firstByteTimeoutMs: toSchema(MAXIMA.firstByteTimeoutMs),
    idleTimeoutMs: toSchema(MAXIMA.idleTimeoutMs),
    totalTimeoutMs: toSchema(MAXIMA.totalTimeoutMs),
    maxConcurrency: toSchema(MAXIMA.maxConcurrency),
  };
}
