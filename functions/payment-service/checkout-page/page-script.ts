/**
 * The page's script: time left, live state and copying. Without it, everything works by forms and links. It is inlined,
 * like the style. It uses the phone's time zone, but never its clock, which may be wrong: it counts down from the
 * service's answer.
 */
export const pageScript = `
(() => {
  'use strict';
  const byState = { choosing: 6000, awaiting_payment: 3000 };
  const longestPause = 30000;
  const announcer = document.getElementById('announcer');
  const main = () => document.querySelector('main');
  const words = () => JSON.parse(main().dataset.words);
  const all = (selector) => main().querySelectorAll(selector);
  let deadline = 0;
  let lastLeft = Infinity;
  let failures = 0;
  let asking = false;
  let next;

  const say = (text) => { announcer.textContent = text; };
  const leave = (secondsLeft) => { deadline = performance.now() + secondsLeft * 1000; };

  const showTime = () => {
    if (!(main().dataset.state in byState)) return;
    const left = Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
    const text = Math.floor(left / 60) + ':' + String(left % 60).padStart(2, '0');
    for (const clock of all('[data-clock]')) {
      clock.hidden = false;
      clock.classList.toggle('late', left < 120);
      clock.querySelector('[data-left]').textContent = text;
    }
    for (const [mark, said] of Object.entries(words().left)) {
      if (lastLeft > mark && left <= mark && lastLeft !== Infinity) say(said);
    }
    if (left === 0 && lastLeft > 0) ask();
    lastLeft = left;
  };

  const copied = async (button) => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
    } catch {
      getSelection().selectAllChildren(document.getElementById(button.dataset.selected));
      say(words().selected);
      return;
    }
    const label = button.querySelector('[data-label]');
    label.textContent = words().copied;
    say(button.dataset.said);
    setTimeout(() => { label.textContent = words().copy; }, 2000);
  };

  const prepare = () => {
    leave(Number(main().dataset.secondsLeft));
    for (const time of all('[data-local]')) {
      time.textContent = new Date(time.dateTime).toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    }
    lastLeft = Infinity;
    for (const button of all('[data-copy]')) {
      button.hidden = false;
      button.addEventListener('click', () => copied(button));
    }
    for (const form of all('form')) {
      form.addEventListener('submit', () => { form.querySelector('button').disabled = true; });
    }
    for (const choice of all('input[type=radio]')) {
      const name = () => { if (choice.checked) main().querySelector('[data-submit]').textContent = choice.dataset.next; };
      choice.addEventListener('change', name);
      name();
    }
    showTime();
    plan();
  };

  const renew = async () => {
    const answer = await fetch(location.href, { cache: 'no-store' });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.querySelector('main');
    if (fresh === null || fresh.dataset.state === undefined) throw new Error('not a checkout');
    main().replaceWith(fresh);
    document.title = page.title;
    prepare();
    const heading = fresh.querySelector('h1');
    heading.focus();
    say(fresh.dataset.said);
  };

  const ask = async () => {
    if (asking || document.hidden || !(main().dataset.state in byState)) return;
    asking = true;
    clearTimeout(next);
    try {
      const answer = await fetch(main().dataset.stateAddress, { cache: 'no-store' });
      if (!answer.ok) throw new Error('no answer');
      const { state, secondsLeft } = await answer.json();
      leave(secondsLeft);
      if (state !== main().dataset.state) await renew();
      failures = 0;
    } catch {
      failures += 1;
    }
    asking = false;
    for (const note of all('[data-offline]')) note.hidden = failures < 2;
    plan();
  };

  const plan = () => {
    clearTimeout(next);
    const pause = byState[main().dataset.state];
    if (pause !== undefined) next = setTimeout(ask, Math.min(longestPause, pause * 2 ** failures));
  };

  document.addEventListener('visibilitychange', ask);
  addEventListener('online', ask);
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    for (const button of all('form button')) button.disabled = false;
    ask();
  });
  prepare();
  setInterval(showTime, 1000);
})();
`;
