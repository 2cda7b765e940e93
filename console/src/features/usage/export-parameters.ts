import { visitorTimeZone } from '../../lib/format/time-zone.ts';
import type { UsageChoice } from './choice.ts';

/** The parameters that the same usage is exported with: every group of every step, none of them summed up as others. */
export function exportParameters(
  accountId: string,
  { span, step, group, keyId, model, tag }: UsageChoice,
): Record<string, string> {
  return {
    accountId,
    ...spanParameters(span),
    step,
    group,
    zone: visitorTimeZone(),
    ...(keyId !== undefined && { key: keyId }),
    ...(model !== undefined && { model }),
    ...(tag !== undefined && { tag }),
  };
}

function spanParameters(span: UsageChoice['span']): Record<string, string> {
  switch (span.kind) {
    case 'days':
      return { days: String(span.days) };
    case 'months':
      return { months: String(span.months) };
    case 'dates':
      return { from: span.from, to: span.to };
  }
}
