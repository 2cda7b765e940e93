import type { UsageReport } from '../../lib/trpc.ts';
import type { Grouping } from './search.ts';

const STATUS_NAMES: Record<string, string> = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  left: 'Client disconnected',
};

/** How a group is called. @param id null: all that are not told apart */
export function nameGroup(report: UsageReport, grouping: Grouping, id: string | null): string {
  if (id === null) return 'All others';
  switch (grouping) {
    case 'status':
      return STATUS_NAMES[id] ?? id;
    case 'model':
      return id === '' ? 'Unknown model' : id;
    case 'key':
      return report.groups.find((group) => group.id === id)?.name ?? id;
  }
}
