import type { ApiDatabase } from './api-process.ts';
import type { ApiSource } from './api-source.ts';
import type { BenchDatabaseOptions } from './gateway-database.ts';

/** The working tree or the commit that it is compared with: code that can be started on separate databases. */
export interface Contender {
  source: ApiSource;
  /** The root of its files. */
  checkout: string;
  createDatabase: (options: BenchDatabaseOptions) => Promise<ApiDatabase>;
}
