import { EncodeReport } from '../encode-report.ts';
import type { OpenAiChatFlavour } from './flavour.ts';

/** The report of an encoder that writes for a provider of a certain flavour. */
export class EncodeNotes extends EncodeReport {
  readonly flavour: OpenAiChatFlavour;
  /** As the provider names it. */
  readonly model: string;

  constructor(flavour: OpenAiChatFlavour, model: string) {
    super();
    this.flavour = flavour;
    this.model = model;
  }
}
