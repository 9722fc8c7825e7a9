/** Documentation that CloudWatch shows to a person who adds a widget by hand. */
export const describeConsole = `## Payout batches

Shows batches of payouts: how each stands, what a person has to do, money, timeline and downloads. It changes nothing.

### Parameters
Parameter | Shows
---|---
\`view: batches\` | all batches, newest first; with \`status\` those in it alone
\`view: batch\` | the one with this \`batchId\`; with \`aside: true\` as it is in a popup
\`view: payouts\` | the payouts of the batch with this \`batchId\`; with \`status\` those in it alone
\`view: payout\` | the one with this \`reference\`
\`view: recipient\` | what the recipient of the payout with the reference \`sameAs\` was paid; without it, fields to say who
\`view: uploads\` | files that were uploaded, newest first, and what is known of each
\`view: columns\` | how a payout file is filled in
\`view: provider\` | the pace of requests, and the money that is set aside

### Example
\`\`\` yaml
view: batches
\`\`\`
`;

/** Documentation of the functions behind the buttons. */
export const describeSteering = `## Pause or cancel a batch

Called by the buttons of the payout console. It is no widget of its own.
`;

export const describeBeginning = `## Check a payout file, or ask for its payment

Called by the buttons of the payout console. It is no widget of its own. Somebody whom the setting \`approvers\` names approves before money moves.
`;
