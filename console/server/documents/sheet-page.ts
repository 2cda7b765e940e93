import { html, writePage, type Html } from '../http/page.ts';
import { hasMissingLetters } from './pdf-letters.ts';
import type { Sheet, SheetTable } from './sheet.ts';

export interface SheetLinks {
  pdf: string;
  /** Documents that correct this one. */
  corrections: { label: string; href: string }[];
}

/** The page of a document, for the screen and for print. */
export function writeSheetPage(sheet: Sheet, links: SheetLinks): string {
  return writePage({
    title: `${sheet.title} ${sheet.number}`,
    body: html`<article class="card">
        <h1>${sheet.title}</h1>
        <p>${sheet.number}</p>
        ${sheet.warning === null ? html`` : html`<div class="note">${sheet.warning}</div>`}
        ${sheet.parties.map(
          ({ heading, lines }) =>
            html`<h2>${heading}</h2>
              <p>${lines.map((line) => html`${line}<br />`)}</p>`,
        )}
        <dl>
          ${sheet.facts.map(
            ([name, value]) =>
              html`<dt>${name}</dt>
                <dd>${value}</dd>`,
          )}
        </dl>
        ${sheet.tables.map(writeTable)} ${sheet.notes.map((note) => html`<p>${note}</p>`)}
        ${links.corrections.map(
          ({ label, href }) => html`<p class="screen">Corrected by <a href="${href}">${label}</a></p>`,
        )}
        ${
          hasMissingLetters(sheet)
            ? html`<p class="screen">
                The PDF cannot show all characters of this document. Print this page instead.
              </p>`
            : html``
        }
        <p class="screen"><a class="button" href="${links.pdf}" download>Download PDF</a></p>
      </article>
      <p class="foot screen"><a href="/billing">Back to Billing</a></p>`,
  });
}

function writeTable({ columns, rows, foot }: SheetTable): Html {
  const getClass = (index: number) => (columns[index]?.isNumber === true ? 'number' : '');
  const cells = (row: string[]) => row.map((cell, at) => html`<td class="${getClass(at)}">${cell}</td>`);
  return html`<table>
    <thead>
      <tr>
        ${columns.map(({ head }, index) => html`<th scope="col" class="${getClass(index)}">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${cells(row)}
          </tr>`,
      )}
    </tbody>
    <tfoot>
      ${foot.map(
        (row) =>
          html`<tr>
            ${cells(row)}
          </tr>`,
      )}
    </tfoot>
  </table>`;
}
