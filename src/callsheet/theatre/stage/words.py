"""The words of puppet films: names, places, lines of dialogue and sentences of description.

In sentences {A} is who acts, {B} the other, {S} and {P} are A's "she/he" and "her/his".
Sentences with {S} alone do not name anybody: the reader must know who was named last.
"""

from __future__ import annotations

WOMEN = (
    "Marta", "Irene", "Odile", "Thea", "Ruth", "Paula", "Greta", "Noor", "Selma", "Vera", "Ines",
    "Lydia", "Hanna", "Clara", "Dora", "Edith", "Flora", "Judith", "Miriam", "Nadia", "Olga",
    "Rosa", "Sonja", "Tilda", "Ursula", "Wanda", "Yara", "Zelda", "Amina", "Bella", "Celia",
    "Daphne", "Elena", "Fiona", "Helga", "Ivy", "Joyce", "Karin", "Leona", "Maeve",
)  # fmt: skip
MEN = (
    "Anton", "Boris", "Caleb", "Dario", "Emil", "Felix", "Gustav", "Henrik", "Igor", "Jonas",
    "Karl", "Lionel", "Magnus", "Nestor", "Oscar", "Pavel", "Quentin", "Rufus", "Simon", "Tobias",
    "Ulrich", "Victor", "Walter", "Yusuf", "Zoltan", "Arthur", "Bruno", "Cyril", "Desmond",
    "Edgar", "Florian", "Gilbert", "Hector", "Isaac", "Jasper", "Leopold", "Marvin", "Norbert",
    "Otto", "Philip",
)  # fmt: skip
SURNAMES = (
    "Bell", "Castle", "Dorn", "Ebbing", "Farrow", "Grieg", "Hollis", "Ivers", "Jessop", "Kemp",
    "Lorne", "Marsh", "Nolan", "Orrin", "Pike", "Quill", "Reed", "Sorel", "Thorne", "Usher",
    "Vance", "Wilde", "Yates", "Zane",
)  # fmt: skip

HEADINGS: dict[str, tuple[tuple[str, bool], ...]] = {
    "living_room": (("{OWNER}'S APARTMENT", True), ("LIVING ROOM", True), ("THE PARLOUR", True)),
    "dining_room": (
        ("{OWNER}'S KITCHEN", True), ("DINING ROOM", True), ("THE BOARDING HOUSE", True),
    ),
    "bedroom": (("{OWNER}'S BEDROOM", True), ("HOTEL ROOM", True), ("THE GUEST ROOM", True)),
    "hall": (("HALLWAY", True), ("STAIRWELL", True), ("THE CORRIDOR", True)),
    "office": (("{OWNER}'S OFFICE", True), ("NEWSPAPER OFFICE", True), ("THE LIBRARY", True)),
    "cafe": (("CAFE MIRABEL", True), ("RAILWAY BAR", True), ("THE BLUE LANTERN", True)),
    "street": (("MARKET STREET", False), ("OUTSIDE THE BANK", False), ("HARBOUR ROAD", False)),
    "park": (("CITY PARK", False), ("THE GARDENS", False), ("RIVERSIDE WALK", False)),
    "in_car": (("{OWNER}'S CAR (MOVING)", True), ("THE SEDAN", True), ("CAR", True)),
}  # fmt: skip
"""Set -> headings and whether they are inside."""

TIMES = ("DAY", "NIGHT", "MORNING", "EVENING", "LATER", "CONTINUOUS")

ACTIONS: dict[str, tuple[str, ...]] = {
    "StandUp": (
        "{A} stands up.", "{A} rises from the chair.", "{A} gets to {P} feet.",
        "Slowly, {A} gets up out of the seat.", "{A} jumps up from the armchair.",
        "{S} stands and straightens {P} clothes.", "{A} pushes the chair back and stands.",
        "With a sigh {A} rises to {P} feet.",
    ),
    "SitDown": (
        "{A} sits down.", "{A} takes a seat.", "{A} drops into the chair.",
        "{A} sinks down onto the armchair.", "{S} sits down heavily.",
        "{A} lowers {O} into a seat.", "Tired, {A} sits in the empty chair.",
        "{A} settles down on the chair.",
    ),
    "Eat": (
        "{A} eats.", "{A} is having dinner.", "{A} chews a mouthful of potatoes.",
        "{A} digs into the plate of food.", "{S} eats hungrily.",
        "{A} swallows another bite of the meal.", "At the table {A} eats {P} supper.",
        "{A} takes a forkful of peas and eats it.",
    ),
    "SitUp": (
        "{A} sits up in bed.", "{A} wakes and sits up.", "Startled, {A} sits bolt upright in bed.",
        "{A} sits up against the pillow.", "{S} sits up, wide awake.",
        "{A} raises {O} up in the bed.", "{A} starts from sleep and sits up.",
    ),
    "HandShake": (
        "{A} and {B} shake hands.", "{A} shakes {B}'s hand.", "{A} offers a hand. {B} shakes it.",
        "They shake hands.", "{A} holds out {P} hand and {B} takes it.",
        "{A} greets {B} with a firm handshake.", "{A} grips {B}'s hand and shakes it warmly.",
    ),
    "Fight": (
        "{A} and {B} fight.", "{A} punches {B} in the face.", "{A} swings at {B}. They fight.",
        "{A} and {B} trade blows.", "{A} attacks {B}, fists flying.",
        "{A} struggles with {B}.", "{A} hits {B} and {B} hits back.",
    ),
    "GetOutOfCar": (
        "{A} gets out of the car.", "{A} climbs out of the car.", "{A} steps out of the sedan.",
        "The car door opens and {A} gets out.", "{S} gets out of the car.",
        "{A} leaves the car in a hurry.", "{A} emerges from the parked car.",
    ),
    "Kiss": (
        "{A} kisses {B}.", "{A} and {B} kiss.", "{A} leans over and kisses {B} on the lips.",
        "They kiss.", "{A} pulls {B} close and they kiss.", "{A} gives {B} a long kiss.",
    ),
    "Hug": (
        "{A} hugs {B}.", "{A} and {B} embrace.", "{A} throws {P} arms around {B}.",
        "{A} takes {B} in {P} arms and holds tight.", "They hug each other.",
        "{A} and {B} fall into each other's arms.", "{A} gives {B} a big hug.",
    ),
    "AnswerPhone": (
        "{A} answers the phone.", "{A} picks up the phone.", "The telephone rings. {A} answers it.",
        "{A} takes the call.", "{A} pulls out a phone and puts it to {P} ear.",
        "A phone rings. {S} picks up.", "{A} grabs the ringing phone.",
    ),
    "Run": (
        "{A} runs.", "{A} comes running.", "{A} rushes down the road.",
        "{A} sprints past the trees.",
        "{S} runs as fast as {S_low} can.", "{A} races ahead, out of breath.",
        "{A} hurries along and breaks into a run.",
    ),
    "OpenDoor": (
        "{A} opens the door.", "The door opens and {A} comes in.", "{A} pushes the door open.",
        "{A} unlocks the door and steps through.", "{S} opens the door wide.",
        "{A} throws open the door.", "{A} enters through the door.",
    ),
    "Drive": (
        "{A} drives.", "{A} is at the wheel.", "{A} drives the car through town.",
        "{A} steers the car round a corner.", "{S} drives on in silence.",
        "{A} grips the steering wheel and drives.", "{A} drives fast.",
    ),
}  # fmt: skip

STAGE_BUSINESS = (
    "{A} looks at {B}.", "{A} smiles.", "{A} waits.", "A long silence.",
    "Rain against the windows.",
    "{A} thinks about it.", "{B} shrugs.", "{A} frowns at {B}.", "Somewhere a clock strikes.",
    "{A} watches the others.", "{B} turns away.", "{A} hesitates.", "{A} nods slowly.",
    "A tram passes outside.", "{B} listens.", "Dust dances in the light.",
)  # fmt: skip
ABSENT = (
    "There is no sign of {C}.", "A photograph of {C} hangs on the wall.",
    "{C} should have been here by now.", "An empty chair, where {C} used to sit.",
)  # fmt: skip
PARENTHETICALS = ("quietly", "smiling", "after a pause", "angry", "to {B}", "whispering")

LINES = (
    "I left the {thing} in the {place}.", "Have you seen my {thing}, {B}?",
    "Nobody told me about the {thing}.", "We should sell the {adj} {thing}.",
    "Your {kin} never liked {town}.", "Meet me behind the {place} at {hour}.",
    "Is that the {adj} {thing} from {town}?", "I dreamed of a {adj} {thing} again.",
    "The {person} asked for you at the {place}.", "You promised me a {thing}, remember?",
    "Don't trust the {person}, {B}.", "They closed the {place} in {month}.",
    "It smells like {adj} {food} in here.", "My {kin} bought a {thing} in {town}.",
    "Why is there {food} on the {thing}?", "The {person} took the {adj} {thing}.",
    "I can't find the {place} without a map.", "Call the {person} before {hour}, please.",
    "Every {month} we went to {town}.", "That {thing} is worth a fortune.",
    "Somebody painted the {place} {colour}.", "You look {adj} today, {B}.",
    "I would give my {thing} for some {food}.", "Ask {B} about the {colour} {thing}.",
    "Last {month} the {person} vanished.", "There was {food} all over the {place}.",
    "The train to {town} leaves at {hour}.", "Who put a {colour} {thing} on the {place} steps?",
    "Even the {person} wore a {colour} hat.", "Bring the {thing} and some {food}.",
)  # fmt: skip
FILLERS: dict[str, tuple[str, ...]] = {
    "thing": ("violin", "ledger", "umbrella", "compass", "typewriter", "suitcase", "lantern",
              "ladder",
              "necklace", "camera", "telescope", "blanket", "kettle", "hammer", "mirror", "parcel",
              "accordion", "envelope", "pistol", "bicycle", "statue", "wardrobe", "barometer",
              "map",
              "clarinet", "sewing machine", "trunk", "candlestick", "diary", "microscope"),
    "place": ("bakery", "station", "attic", "museum", "harbour", "chapel", "cinema", "pharmacy",
              "greenhouse", "warehouse", "theatre", "cellar", "lighthouse", "post office", "stable",
              "library", "laundry", "observatory", "orchard", "quarry", "tannery", "mill"),
    "adj": ("broken", "golden", "rusty", "terrible", "lovely", "ancient", "burnt", "tiny",
            "crooked",
            "splendid", "dusty", "stolen", "foreign", "frozen", "peculiar", "velvet", "hollow"),
    "person": ("doctor", "landlord", "captain", "baker", "notary", "violinist", "gardener",
               "mayor",
               "conductor", "butcher", "widow", "tailor", "surveyor", "priest", "chemist",
               "sergeant"),
    "kin": ("mother", "brother", "uncle", "grandfather", "cousin", "aunt", "sister", "nephew"),
    "town": ("Lisbon", "Trieste", "Odessa", "Bergen", "Antwerp", "Tangier", "Geneva", "Dublin",
             "Salonica", "Marseille", "Prague", "Riga", "Valencia", "Cracow", "Genoa"),
    "food": ("cabbage", "marmalade", "herring", "cinnamon", "mustard", "walnuts", "honey", "garlic",
             "dumplings", "chestnuts", "rhubarb", "pickles", "lentils", "vanilla", "onions"),
    "month": ("January", "February", "March", "April", "August", "October", "November", "December"),
    "hour": ("noon", "midnight", "seven", "half past nine", "dawn", "four o'clock", "sunset"),
    "colour": ("crimson", "yellow", "turquoise", "purple", "orange", "silver", "green", "scarlet"),
}  # fmt: skip
TITLES = (
    "The {Adj} {Thing}",
    "A {Thing} for {A}",
    "Midnight in {Town}",
    "The {Person} of {Town}",
    "Letters to {A}",
)
