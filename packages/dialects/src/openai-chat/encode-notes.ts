import { EncodeReport } from '../encode-report.ts';
import type { ProviderQuirks } from './provider-quirks.ts';

/** The report of an encoder that writes for a provider with quirks. */
export class EncodeNotes extends EncodeReport {
  readonly quirks: ProviderQuirks;
  /** As the provider names it. */
  readonly model: string;

  constructor(quirks: ProviderQuirks, model: string) {
    super();
    this.quirks = quirks;
    this.model = model;
  }
}
