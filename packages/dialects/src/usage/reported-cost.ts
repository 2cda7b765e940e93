import type { NanoUsd } from '@tollgate/core/money/money';
import { asObject, type JsonObject } from '../json/parse-object.ts';

const DECIMAL = /^(\d{1,20})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,2}))?$/i;
const NANO_DIGITS = 9;
/** One tick is 1e-10 USD (https://docs.x.ai/developers/cost-tracking). */
const TICK_DIGITS = 10;
/** A million dollars: no request costs more. */
const MAX_NANO_USD = 1_000_000_000_000_000n;

/**
 * Reads the request's cost as the provider reports it: `cost` in USD (OpenRouter, Vercel; with the operator's
 * credential, the fee and the cost at the model's provider), `cost.total_cost` (Perplexity) or `cost_in_usd_ticks` (xAI).
 * @returns rounded up to the next nano-dollar; null if none is reported
 */
export function readReportedCost(usage: JsonObject): NanoUsd | null {
  const ticks = scaleDecimal(usage['cost_in_usd_ticks'], NANO_DIGITS - TICK_DIGITS);
  if (ticks !== null) return ticks;
  const { cost } = usage;
  const own = scaleDecimal(asObject(cost)?.['total_cost'] ?? cost, NANO_DIGITS);
  if (own === null || usage['is_byok'] !== true) return own;
  const upstream = asObject(usage['cost_details'])?.['upstream_inference_cost'];
  return own + (scaleDecimal(upstream, NANO_DIGITS) ?? 0n);
}

/** Multiplies a decimal number by 10^digits, exactly, and rounds up. @returns null if it is not an amount */
function scaleDecimal(value: unknown, digits: number): bigint | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const parts = DECIMAL.exec(String(value).trim());
  if (parts === null) return null;
  const [, whole = '0', fraction = '', exponent = '0'] = parts;
  const units = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length + digits;
  const amount =
    shift >= 0 ? units * 10n ** BigInt(shift) : (units + 10n ** BigInt(-shift) - 1n) / 10n ** BigInt(-shift);
  return amount > MAX_NANO_USD ? null : amount;
}
