/** Documentation that CloudWatch shows to a person who adds a widget by hand. */
export const describeConsole = `## Payout batches

Shows batches of payouts: their state, tasks for people, money, timeline and downloads. It changes nothing.

### Parameters
Parameter | Shows
---|---
\`view: batches\` | all batches, newest first; with \`status\` only those in that status
\`view: batch\` | the batch with this \`batchId\`; with \`aside: true\` as in a popup
\`view: payouts\` | the payouts of the batch with this \`batchId\`; with \`status\` only those in that status
\`view: contradicted\` | the payouts of the batch with this \`batchId\` that have a contradiction that nobody has noted
\`view: payout\` | the payout with this \`reference\`
\`view: recipient\` | all payouts to the recipient of the payout with the reference \`sameAs\`; without it, a search form
\`view: uploads\` | uploaded files, newest first, with the batches of each
\`view: columns\` | how a payout file is filled in
\`view: provider\` | the request rates, and the money that is reserved

### Example
\`\`\` yaml
view: batches
\`\`\`
`;

/** Documentation of the functions behind the buttons. */
export const describeSteering = `## Pause or cancel a batch

Called by the buttons of the payout console. It is not a widget itself.
`;

export const describeBeginning = `## Check a payout file, or ask for its payment

Called by the buttons of the payout console. It is not a widget itself. A person named in the setting \`approvers\` approves before money moves.
`;
