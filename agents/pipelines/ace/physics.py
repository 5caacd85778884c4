"""Families of questions from physics and the calendar. Only `questions` may know them: they would give the formulas away."""

from __future__ import annotations

from agents.pipelines.ace.family import Draw, Family
from agents.pipelines.ace.rules import DATES, MEASUREMENTS

DAY = Draw("2026-01-05", "2028-12-20", "1", "date")

PHYSICS = (
    Family(
        "speed",
        MEASUREMENTS,
        "distance / time",
        {"distance": Draw("40", "640", "4", "km"), "time": Draw("1.25", "8", "0.25", "h")},
        """
            A train covers {distance} in {time}. What is its speed in km/h?

            A bus needs {time} for {distance}. How fast is it, in km/h?

            What is the speed in km/h for a distance of {distance} and a time of {time}?
        """,
        unit="km/h",
        exact=True,
    ),
    Family(
        "density",
        MEASUREMENTS,
        "mass / volume",
        {"mass": Draw("120", "9000", "10", "kg"), "volume": Draw("0.2", "4.8", "0.1", "m³")},
        """
            A block has a mass of {mass} and a volume of {volume}. What is its density?

            What is the density of a body with a mass of {mass} and a volume of {volume}?
        """,
        unit="kg/m³",
    ),
    Family(
        "kinetic energy",
        MEASUREMENTS,
        "0.5 * mass * speed^2",
        {"mass": Draw("3", "900", "3", "kg"), "speed": Draw("4", "45", "0.5", "m/s")},
        """
            A sledge with a mass of {mass} has a speed of {speed}. What is its kinetic energy in J?

            How large is the kinetic energy in joules if the mass is {mass} and the speed is {speed}?
        """,
        unit="J",
    ),
    Family(
        "voltage",
        MEASUREMENTS,
        "current * resistance",
        {"current": Draw("0.2", "9.8", "0.1", "A"), "resistance": Draw("3", "470", "1", "Ω")},
        """
            A current of {current} flows through a resistance of {resistance}. What is the voltage in V?

            The resistance is {resistance} and the current is {current}. How high is the voltage in volts?
        """,
        unit="V",
    ),
    Family(
        "power",
        MEASUREMENTS,
        "voltage * current",
        {"voltage": Draw("6", "240", "2", "V"), "current": Draw("0.3", "15.7", "0.1", "A")},
        """
            A heater works with a voltage of {voltage} and a current of {current}. What is its power in W?

            What is the power in watts when the voltage is {voltage} and the current is {current}?
        """,
        unit="W",
        exact=True,
    ),
    Family(
        "pressure",
        MEASUREMENTS,
        "force / area",
        {"force": Draw("40", "9000", "20", "N"), "area": Draw("0.05", "2.4", "0.05", "m²")},
        """
            A force of {force} acts on an area of {area}. How high is the pressure in Pa?

            What is the pressure in pascals if the force is {force} and the area is {area}?
        """,
        unit="Pa",
    ),
    Family(
        "force",
        MEASUREMENTS,
        "mass * acceleration",
        {"mass": Draw("4", "900", "4", "kg"), "acceleration": Draw("0.4", "9.6", "0.2", "m/s²")},
        """
            A cart with a mass of {mass} gets an acceleration of {acceleration}. What force is needed, in N?

            How large is the force in newtons for a mass of {mass} and an acceleration of {acceleration}?
        """,
        unit="N",
    ),
    Family(
        "fuel consumption",
        MEASUREMENTS,
        "fuel / distance * 100",
        {"fuel": Draw("18", "75", "1.5", "L"), "distance": Draw("230", "990", "10", "km")},
        """
            The fuel is {fuel} for a distance of {distance}. What is the fuel consumption in L/100 km?

            With fuel of {fuel} and a distance of {distance}, how high is the fuel consumption in litres per 100
            km?
        """,
        unit="L/100 km",
    ),
    Family(
        "work",
        MEASUREMENTS,
        "force * distance",
        {"force": Draw("15", "900", "5", "N"), "distance": Draw("2", "80", "0.5", "m")},
        """
            A horse pulls with a force of {force} over a distance of {distance}. How much is the work in J?

            What is the work in joules if the force is {force} and the distance is {distance}?
        """,
        unit="J",
    ),
    Family(
        "energy use",
        MEASUREMENTS,
        "power * time",
        {"power": Draw("0.4", "11", "0.2", "kW"), "time": Draw("2", "48", "0.5", "h")},
        """
            A stove with a power of {power} is on for {time}. What is the energy use in kWh?

            How high is the energy use in kWh for a power of {power} and a time of {time}?
        """,
        unit="kWh",
    ),
    Family(
        "potential energy",
        MEASUREMENTS,
        "mass * gravitational acceleration * height",
        {
            "mass": Draw("2", "90", "1", "kg"),
            "gravitational acceleration": Draw("9.81", "9.81", "1", "m/s²"),
            "height": Draw("3", "60", "0.5", "m"),
        },
        """
            A crate with a mass of {mass} is lifted to a height of {height}; the gravitational acceleration is
            {gravitational acceleration}. What is its potential energy in J?

            How large is the potential energy in joules for a mass of {mass}, a height of {height} and a
            gravitational acceleration of {gravitational acceleration}?
        """,
        unit="J",
    ),
    Family(
        "perimeter",
        MEASUREMENTS,
        "2 * (length + width)",
        {"length": Draw("6", "90", "0.5", "m"), "width": Draw("2", "60", "0.5", "m")},
        """
            A field has a length of {length} and a width of {width}. What is its perimeter in m?

            The length of the yard is {length} and the width of the yard is {width}. Compute the perimeter in
            metres.
        """,
        unit="m",
    ),
)

CALENDAR = (
    Family(
        "end date",
        DATES,
        "start date + days",
        {"start date": DAY, "days": Draw("5", "90")},
        """
            A course starts on {start date} and takes {days} days; on which date does it end?

            With a start date of {start date} and {days} days to go, what is the end date?
        """,
        exact=True,
    ),
    Family(
        "due date",
        DATES,
        "invoice date + payment term",
        {"invoice date": DAY, "payment term": Draw("7", "60")},
        """
            The invoice date is {invoice date} and the payment term is {payment term} days. What is the due
            date?

            An invoice is dated {invoice date} with a payment term of {payment term} days. When is it due?
        """,
        exact=True,
    ),
    Family(
        "order date",
        DATES,
        "delivery date - lead time",
        {"delivery date": DAY, "lead time": Draw("6", "75")},
        """
            The delivery date is {delivery date} and the lead time is {lead time} days. What is the order date?

            For a delivery date of {delivery date} and a lead time of {lead time} days, what is the order date?
        """,
    ),
)
