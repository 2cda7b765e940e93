import { EncodeReport } from '../encode-report.ts';
import type { OpenAiChatFlavour } from './flavour.ts';

/** The report of an encoder that writes for a provider of a certain flavour. */
export class EncodeNotes extends EncodeReport {
  readonly flavour: OpenAiChatFlavour;

  constructor(flavour: OpenAiChatFlavour) {
    super();
    this.flavour = flavour;
  }
}
