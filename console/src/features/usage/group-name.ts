import type { UsageReport } from '../../lib/trpc.ts';
import type { Grouping } from './search.ts';

/** How a group is called. @param id null: all that are not told apart */
export function nameGroup(report: UsageReport, grouping: Grouping, id: string | null): string {
  if (id === null) return 'All others';
  switch (grouping) {
    case 'status':
      return id === 'failed' ? 'Failed' : 'Succeeded';
    case 'model':
      return id === '' ? 'Unknown model' : id;
    case 'key':
      return report.groups.find((group) => group.id === id)?.name ?? id;
  }
}
