"use strict";
(() => {
  const sheet = JSON.parse(document.getElementById("sheet").textContent);
  const canvas = document.getElementById("lanes");
  const card = document.getElementById("card");
  const brush = canvas.getContext("2d");
  const names = [...sheet.lanes, "unnamed"];
  const LEFT = canvas.clientWidth < 600 ? 96 : 150, TOP = 64, LANE = 26, RIGHT = 12;
  let from = 0, to = sheet.duration, chosen = -1;

  // Tracks in order of time: drawing and searching look only at what is in the window.
  const tracks = sheet.tracks.slice().sort((a, b) => a.s - b.s);
  const longest = tracks.reduce((m, t) => Math.max(m, t.e - t.s), 0);
  const laneOf = (t) => (t.l < 0 ? names.length - 1 : t.l);
  const strip = Object.fromEntries(Object.entries(sheet.strip).map(([shot, source]) => {
    const picture = new Image();
    picture.onload = soon;
    picture.src = source;
    return [shot, picture];
  }));

  const firstFrom = (time) => {
    let low = 0, high = tracks.length;
    while (low < high) { const mid = (low + high) >> 1; if (tracks[mid].s < time) low = mid + 1; else high = mid; }
    return low;
  };
  const width = () => canvas.clientWidth - LEFT - RIGHT;
  const x = (time) => LEFT + ((time - from) / (to - from)) * width();
  const timeAt = (px) => from + ((px - LEFT) / width()) * (to - from);
  let colours = {};
  const colour = (name) => (colours[name] ??= getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  const clock = (s) => `${Math.floor(s / 3600)}:${String(Math.floor(s / 60) % 60).padStart(2, "0")}:${String(Math.floor(s % 60)).padStart(2, "0")}`;
  const hue = (lane) => `hsl(${(lane * 137.5) % 360} 45% 50%)`;

  let waiting = false;
  function soon() {  // many pictures arrive at once: one drawing shows them all
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  }

  function draw() {
    colours = {};
    const ratio = window.devicePixelRatio || 1;
    const height = TOP + names.length * LANE + 8;
    canvas.style.height = `${height}px`;
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = height * ratio;
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.clearRect(0, 0, canvas.clientWidth, height);
    drawClock(height);
    drawStrip();
    drawLanes();
    drawTracks();
    const told = `${clock(from)} to ${clock(to)}`, place = document.getElementById("window");
    if (place.textContent !== told) place.textContent = told;  // it is read aloud
  }

  function drawClock(height) {
    const steps = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];
    const step = steps.find((s) => (s / (to - from)) * width() > 70) || 7200;
    brush.font = "11px system-ui, sans-serif";
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
      brush.fillStyle = colour("--line");
      brush.fillRect(x(time), 0, 1, height);
      brush.fillStyle = colour("--faint");
      const told = clock(time), at = x(time) + 3;
      if (at + brush.measureText(told).width <= canvas.clientWidth) brush.fillText(told, at, 11);
    }
  }

  const HIGH = 40;
  const wide = (picture) => (picture.naturalWidth / picture.naturalHeight) * HIGH;
  const shown = (shot) => { const p = strip[shot]; return p && p.complete && p.naturalWidth ? p : null; };
  function shotAt(time) {
    let low = 0, high = sheet.shots.length;
    while (low < high) { const mid = (low + high) >> 1; if (sheet.shots[mid] <= time) low = mid + 1; else high = mid; }
    return Math.max(0, low - 1);
  }

  function drawStrip() {
    const first = shotAt(from), last = shotAt(to);
    if (width() / (last - first + 1) < HIGH) drawSome(); else for (let n = first; n <= last; n++) drawShot(n);
    brush.fillStyle = colour("--card");
    brush.fillRect(0, 14, LEFT, 44);
    brush.fillStyle = colour("--faint");
    brush.fillText("shots", 12, 40);
  }

  function drawShot(shot) {
    const end = shot + 1 < sheet.shots.length ? sheet.shots[shot + 1] : sheet.duration;
    const a = Math.max(LEFT, x(sheet.shots[shot])), b = Math.min(canvas.clientWidth - RIGHT, x(end));
    brush.fillStyle = colour("--line");
    brush.fillRect(a, 16, Math.max(1, b - a - 1), HIGH);
    const picture = shown(shot);
    if (!picture) return;
    brush.save();
    brush.beginPath(); brush.rect(a, 16, b - a - 1, HIGH); brush.clip();
    for (let at = a; at < b; at += wide(picture)) brush.drawImage(picture, at, 16, wide(picture), HIGH);
    brush.restore();
  }

  // Too many shots to show each: the one at every few pixels.
  function drawSome() {
    const end = canvas.clientWidth - RIGHT;
    brush.fillStyle = colour("--line");
    brush.fillRect(LEFT, 16, end - LEFT, HIGH);
    brush.save();
    brush.beginPath(); brush.rect(LEFT, 16, end - LEFT, HIGH); brush.clip();
    for (let at = LEFT, step = 70; at < end; at += step) {
      const picture = shown(shotAt(timeAt(at + step / 2)));
      if (!picture) continue;
      step = wide(picture);
      brush.drawImage(picture, at, 16, step - 1, HIGH);
    }
    brush.restore();
  }

  function drawLanes() {
    brush.font = "13px system-ui, sans-serif";
    names.forEach((name, lane) => {
      const y = TOP + lane * LANE;
      brush.fillStyle = colour("--line");
      brush.fillRect(0, y + LANE - 1, canvas.clientWidth, 1);
      brush.fillStyle = lane === names.length - 1 ? colour("--faint") : colour("--ink");
      let shown = name;
      while (shown.length > 3 && brush.measureText(shown).width > LEFT - 20) shown = shown.slice(0, -2) + "…";
      brush.fillText(shown, 12, y + 17);
    });
  }

  function drawTracks() {
    brush.save();
    brush.beginPath(); brush.rect(LEFT, TOP, width(), names.length * LANE); brush.clip();
    for (let n = firstFrom(from - longest); n < tracks.length && tracks[n].s < to; n++) {
      const t = tracks[n];
      if (t.e < from) continue;
      const a = x(t.s), w = Math.max(2, x(t.e) - a), y = TOP + laneOf(t) * LANE;
      brush.globalAlpha = t.l < 0 ? 0.35 : 0.45 + 0.55 * Math.min(1, Math.max(0, t.p));
      brush.fillStyle = t.l < 0 ? colour("--faint") : hue(t.l);
      brush.fillRect(a, y + 5, w, LANE - 11);
      brush.globalAlpha = 1;
      if (t.a) drawDot(a + w / 2, y + LANE / 2 - 0.5, w);
      if (n === chosen) { brush.strokeStyle = colour("--focus"); brush.lineWidth = 3; brush.strokeRect(a - 1, y + 3, w + 2, LANE - 7); }
    }
    brush.restore();
  }

  function drawDot(px, py, room) {
    brush.fillStyle = colour("--card");
    brush.strokeStyle = colour("--ink");
    brush.lineWidth = room < 8 ? 1 : 1.5;
    brush.beginPath();
    brush.arc(px, py, room < 8 ? 2 : 4, 0, 7);
    brush.fill();
    brush.stroke();
  }

  const whoOf = (t) => (t.l < 0 ? "unnamed" : names[t.l]);
  const reasonsOf = (t) => {  // a line may give several pieces of evidence: tell it once
    const told = new Map(t.r.map((id) => sheet.evidence[id]).filter(Boolean).map((r) => [r.line + r.text, r]));
    return [...told.values()];
  };

  function show(n, px, py) {
    const t = tracks[n];
    card.replaceChildren();
    if (t.c) { const i = new Image(); i.src = t.c; i.alt = ""; card.append(i); }
    const who = document.createElement("b");
    who.textContent = whoOf(t);
    const told = document.createElement("div");
    told.textContent = `${clock(t.s)}, ${(t.e - t.s).toFixed(1)}\u00a0s` + (t.l < 0 ? "" : `, score ${t.p.toFixed(2)}`) + (t.a ? `; ${t.a} ${t.q.toFixed(2)}` : "");
    card.append(who, told);
    for (const reason of reasonsOf(t)) {
      const q = document.createElement("q"), line = document.createElement("span");
      q.textContent = reason.text.slice(0, 160);
      line.className = "faint";
      line.textContent = `line ${reason.line}`;
      card.append(q, line);
    }
    card.style.display = "block";
    card.style.left = `${Math.max(4, Math.min(px + 14, canvas.clientWidth - card.offsetWidth - 8))}px`;
    card.style.top = `${py + 14}px`;
  }
  const hide = () => { card.style.display = "none"; };

  function hit(px, py) {
    const lane = Math.floor((py - TOP) / LANE), time = timeAt(px), slack = (3 / width()) * (to - from);
    for (let n = firstFrom(time - longest - slack); n < tracks.length && tracks[n].s <= time + slack; n++)
      if (laneOf(tracks[n]) === lane && tracks[n].e >= time - slack) return n;
    return -1;
  }

  function look(start, end) {
    const span = Math.min(sheet.duration, Math.max(1, end - start));
    from = Math.max(0, Math.min(start, sheet.duration - span));
    to = from + span;
    hide();
    draw();
  }
  const zoom = (factor, at = (from + to) / 2) => look(at - (at - from) * factor, at + (to - at) * factor);
  const move = (share) => look(from + share * (to - from), to + share * (to - from));
  function step(by) {
    if (!tracks.length) return;
    chosen = (chosen + by + tracks.length) % tracks.length;
    const t = tracks[chosen];
    if (t.s < from || t.e > to) look(t.s - (to - from) / 4, t.s + ((to - from) * 3) / 4);
    else draw();
    show(chosen, x(t.s), TOP + laneOf(t) * LANE + LANE);
  }

  // The same tracks as text, a few hundred at a time.
  const PAGE = 500, all = document.getElementById("all"), more = document.getElementById("more");
  const body = all.querySelector("tbody");
  function cell(row, text, kind) { const td = row.insertCell(); td.textContent = text; if (kind) td.className = kind; return td; }
  function tell() {
    for (const t of tracks.slice(body.rows.length, body.rows.length + PAGE)) {
      const row = body.insertRow(), link = document.createElement("a");
      link.href = "#lanes";
      link.textContent = clock(t.s);
      link.addEventListener("click", () => look(t.s - 15, t.s + 15));
      cell(row, "", "num").append(link);
      cell(row, (t.e - t.s).toFixed(1), "num");
      cell(row, whoOf(t));
      cell(row, t.l < 0 ? "" : t.p.toFixed(2), "num");
      cell(row, t.a ? `${t.a} ${t.q.toFixed(2)}` : "");
      cell(row, reasonsOf(t).map((r) => `“${r.text.slice(0, 160)}” line ${r.line}`).join(" "));
    }
    more.hidden = body.rows.length >= tracks.length;
  }
  all.addEventListener("toggle", () => { if (all.open && !body.rows.length) tell(); });
  more.addEventListener("click", tell);

  const acts = { in: () => zoom(0.5), out: () => zoom(2), left: () => move(-0.3), right: () => move(0.3), all: () => look(0, sheet.duration) };

  canvas.addEventListener("pointermove", (e) => { const n = hit(e.offsetX, e.offsetY); if (n >= 0) show(n, e.offsetX, e.offsetY); else hide(); });
  canvas.addEventListener("pointerleave", hide);
  canvas.addEventListener("wheel", (e) => { if (!e.ctrlKey && !e.shiftKey) return; e.preventDefault(); zoom(e.deltaY < 0 ? 0.8 : 1.25, timeAt(e.offsetX)); }, { passive: false });
  canvas.addEventListener("keydown", (e) => {
    const keys = { "+": acts.in, "=": acts.in, "-": acts.out, ArrowLeft: acts.left, ArrowRight: acts.right, Home: acts.all, Enter: () => step(e.shiftKey ? -1 : 1), Escape: hide };
    if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
  });
  document.querySelectorAll("[data-act]").forEach((b) => b.addEventListener("click", () => acts[b.dataset.act]()));
  document.querySelectorAll("[data-time]").forEach((a) => a.addEventListener("click", () => { const at = +a.dataset.time; look(at - 15, at + 15); }));
  window.addEventListener("resize", soon);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", soon);
  draw();
})();
